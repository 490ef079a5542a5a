"""C++ as far as the house tests read it: which statement stands in which scope."""

import re
from dataclasses import dataclass

NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/'  # comments
    r'|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'  # texts
    r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'"  # characters, but no separators of digits
    r"|^[ \t]*#(?:\\\n|[^\n])*",  # directives
    re.DOTALL | re.MULTILINE,
)
END = re.compile(r"[{};]")
TEMPLATE = re.compile(r"^template\s*<")
NAMESPACE = re.compile(r"^(?:inline\s+)?namespace\b\s*([\w:]*)$")
TYPE = re.compile(
    r"^(?:typedef\s+)?(?:class|struct|union|enum(?:\s+(?:class|struct))?)\b"
    r"(?:\s*\[\[.*?\]\]|\s*alignas\s*\([^)]*\))*"
    r"\s*((?:\w|::)*(?:<.*?>)?)(?:\s+final)?\s*(?::(?!:).*)?$",
    re.DOTALL,
)
BEFORE = re.compile(r"\s*(?:(?:public|protected|private)\s*:\s*)*")


@dataclass(frozen=True)
class Scope:
    """What a brace opens. `kind` is "namespace", "type", "linkage" (extern "C") or "body"."""

    kind: str
    name: str  # of a namespace or a type; empty when it has none


@dataclass(frozen=True)
class Statement:
    line: int  # where it begins, counted from 1
    text: str  # without comments, texts and what stands in its braces
    opens: Scope | None  # None: it ends with a semicolon
    within: tuple[Scope, ...]  # outermost first


def code_of(text):
    """The text with blanks for comments, texts, characters and directives; lines stay."""
    return NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def without_template(head):
    """The head of a declaration without its "template <...>"."""
    while TEMPLATE.match(head):
        depth = round_ones = 0
        for at, char in enumerate(head):
            round_ones += (char == "(") - (char == ")")
            if round_ones == 0:
                depth += (char == "<") - (char == ">")
            if char == ">" and depth == 0:
                break
        head = head[at + 1 :].lstrip()
    return head


def scope_of(head):
    if found := NAMESPACE.match(head):
        return Scope("namespace", found.group(1))
    if re.match(r"^extern\s*$", head):
        return Scope("linkage", "")
    if found := TYPE.match(without_template(head)):
        return Scope("type", "".join(found.group(1).split()))
    return Scope("body", "")


def statements(text):
    """Every statement, in order. ValueError when the braces do not match."""
    code = code_of(text)
    scopes, begin, line, counted = [], 0, 1, 0
    for end in END.finditer(code):
        head = code[begin : end.start()]
        start = begin + BEFORE.match(head).end()
        head = code[start : end.start()].rstrip()
        begin = end.end()
        if end.group() == "}":
            if not scopes:
                raise ValueError(f"line {code.count(chr(10), 0, start) + 1}: a brace too many")
            scopes.pop()
            continue
        line += code.count("\n", counted, start)
        counted = start
        opens = scope_of(head) if end.group() == "{" else None
        yield Statement(line, head, opens, tuple(scopes))
        if opens:
            scopes.append(opens)
    if scopes:
        raise ValueError(f"{len(scopes)} braces are not closed")


def linked_types(text):
    """(line, qualified name) of each type that other files can mean by that name."""
    typedef = None
    for statement in statements(text):
        own, path = statement.opens, statement.within
        if not all(scope.name or scope.kind == "linkage" for scope in path):
            continue
        name = own.name if own and own.kind == "type" else ""
        if own and own.kind == "type" and not name and statement.text.startswith("typedef"):
            typedef = statement
        elif typedef and path == typedef.within:  # "typedef struct {...} NAME;"
            name, typedef = statement.text, None
        if name:
            yield statement.line, "::".join([*(scope.name for scope in path if scope.name), name])
