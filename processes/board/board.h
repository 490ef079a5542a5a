// The board of a home: projects, the channels that work for them, and cards that move from column
// to column. One run for all projects; docs/board.md is for people, this is the protocol.
//
// Inputs:   {}
// Signals, with `by` (who does it) in each:
//   project.create {projectId, name?, description?, channels?: [{channel, from}]}
//   project.link, project.unlink {projectId, channels: [{channel, from}]}
//   card.add {projectId, title, description?, priority?, status?, channel?, agent?}
//   card.move {cardId, to, reason?}       card.approve {cardId, to?: backlog | ready}
//   card.assign {cardId, channel?, agent?}         card.remove {cardId, reason?}
//   channel.heard {channel, events: [{seq, type, payload}], gone?: true}  what a channel told
//   since:
//     todo.proposed, worker.spawned, worker.progress, worker.completed, worker.failed, in its
//     order; `from` and `seq` are records of the channel. What was heard before changes nothing.
// Events:
//   project.created, project.linked, project.unlinked
//   board.card.added, board.card.moved {cardId, projectId, title, from, to, by, reason?,
//   workerId?}, board.card.assigned, board.card.removed board.worker.asked, .started, .unwanted,
//   .told, .ended {cardId, workerId, outcome, text} board.heard {channel, seq} board.signal.refused
//   {name, code, message}
// Effects:  run.signal with the key spawn:CARD:N (worker.spawn with taskId CARD) or cancel:CARD:N
// Questions:
//   {"ask":"board"}               {projects, cards: the highest priority first}
//   {"ask":"project","id"}, {"ask":"card","id"}            null when there is none
//   {"ask":"card","signal"}       the card that this record, a card.add, added
//   {"ask":"cards","ids"}         those of them that there are
//   {"ask":"newest"}              the card that was added last
//   {"ask":"hearing"}             [{channel, seq, works}]: where to listen, from which record on,
//                                 and whether a worker of a card is there
// A card is {cardId, projectId, title, description, priority, status, channel?, agent?, reason?,
// origin?, by, worker? {channel, workerId?, unwanted}, attempts, createdAt, updatedAt, moves}.
#pragma once

#include "engine/process/process.h"

namespace reprise {

BuiltIn board_process();

}  // namespace reprise
