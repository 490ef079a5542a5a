// The commands, and how each document reads as text. One source file a command or a small group:
// run_*.cc, task_*.cc.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "cli/reply.h"

namespace reprise {

Reply run_create(const Arguments& arguments);
Reply run_assign_process(const Arguments& arguments);
Reply run_retry(const Arguments& arguments);
Reply run_rewind(const Arguments& arguments);
Reply run_start(const Arguments& arguments);
Reply run_drive(const Arguments& arguments);
Reply run_wait(const Arguments& arguments);
Reply run_iterate(const Arguments& arguments);
Reply run_status(const Arguments& arguments);
Reply run_output(const Arguments& arguments);
Reply run_events(const Arguments& arguments);
Reply run_tree(const Arguments& arguments);
Reply run_watch(const Arguments& arguments);
Reply run_logs(const Arguments& arguments);
Reply run_archive(const Arguments& arguments);
Reply run_delete(const Arguments& arguments);
Reply run_list(const Arguments& arguments);
Reply run_signal(const Arguments& arguments);
Reply run_pause(const Arguments& arguments);
Reply run_resume(const Arguments& arguments);
Reply run_cancel(const Arguments& arguments);
Reply run_halt(const Arguments& arguments);
Reply run_rebuild_state(const Arguments& arguments);
Reply run_verify(const Arguments& arguments);
Reply run_repair_journal(const Arguments& arguments);

std::string run_create_text(const Document& document, const Style& style);
std::string run_assign_process_text(const Document& document, const Style& style);
std::string run_retry_text(const Document& document, const Style& style);
std::string run_rewind_text(const Document& document, const Style& style);
std::string run_drive_text(const Document& document, const Style& style);
std::string run_wait_text(const Document& document, const Style& style);
std::string run_iterate_text(const Document& document, const Style& style);
std::string run_status_text(const Document& document, const Style& style);
std::string run_output_text(const Document& document, const Style& style);
std::string run_events_text(const Document& document, const Style& style);
std::string run_tree_text(const Document& document, const Style& style);
std::string run_watch_text(const Document& document, const Style& style);
std::string run_logs_text(const Document& document, const Style& style);
std::string run_archive_text(const Document& document, const Style& style);
std::string run_delete_text(const Document& document, const Style& style);
std::string run_list_text(const Document& document, const Style& style);
std::string run_signal_text(const Document& document, const Style& style);
std::string run_pause_text(const Document& document, const Style& style);
std::string run_resume_text(const Document& document, const Style& style);
std::string run_cancel_text(const Document& document, const Style& style);
std::string run_halt_text(const Document& document, const Style& style);
std::string run_rebuild_state_text(const Document& document, const Style& style);
std::string run_verify_text(const Document& document, const Style& style);
std::string run_repair_journal_text(const Document& document, const Style& style);

Reply task_list(const Arguments& arguments);
Reply task_show(const Arguments& arguments);
Reply task_post(const Arguments& arguments);
Reply task_claim(const Arguments& arguments);
Reply task_extend(const Arguments& arguments);
Reply task_release(const Arguments& arguments);
Reply task_progress(const Arguments& arguments);
Reply task_exec(const Arguments& arguments);
Reply task_cancel(const Arguments& arguments);
Reply task_logs(const Arguments& arguments);

std::string task_list_text(const Document& document, const Style& style);
std::string task_show_text(const Document& document, const Style& style);
std::string task_post_text(const Document& document, const Style& style);
std::string task_claim_text(const Document& document, const Style& style);
std::string task_extend_text(const Document& document, const Style& style);
std::string task_release_text(const Document& document, const Style& style);
std::string task_progress_text(const Document& document, const Style& style);
std::string task_exec_text(const Document& document, const Style& style);
std::string task_cancel_text(const Document& document, const Style& style);
std::string task_logs_text(const Document& document, const Style& style);

Reply approval_list(const Arguments& arguments);
Reply approval_show(const Arguments& arguments);
Reply approval_approve(const Arguments& arguments);
Reply approval_deny(const Arguments& arguments);

std::string approval_list_text(const Document& document, const Style& style);
std::string approval_show_text(const Document& document, const Style& style);
std::string approval_answer_text(const Document& document, const Style& style);
Reply process_check(const Arguments& arguments);
Reply process_test(const Arguments& arguments);

std::string process_check_text(const Document& document, const Style& style);
std::string process_test_text(const Document& document, const Style& style);

Reply init(const Arguments& arguments);
Reply config_show(const Arguments& arguments);
Reply config_path(const Arguments& arguments);
Reply trust(const Arguments& arguments);
Reply doctor(const Arguments& arguments);
Reply backup(const Arguments& arguments);

std::string init_text(const Document& document, const Style& style);
std::string config_show_text(const Document& document, const Style& style);
std::string config_path_text(const Document& document, const Style& style);
std::string trust_text(const Document& document, const Style& style);
std::string doctor_text(const Document& document, const Style& style);
std::string backup_text(const Document& document, const Style& style);

Reply executor_list(const Arguments& arguments);
Reply executor_add(const Arguments& arguments);
Reply executor_test(const Arguments& arguments);
Reply executor_perform(const Arguments& arguments);

std::string executor_list_text(const Document& document, const Style& style);
std::string executor_add_text(const Document& document, const Style& style);
std::string executor_test_text(const Document& document, const Style& style);
std::string executor_perform_text(const Document& document, const Style& style);
Reply inbox(const Arguments& arguments);
Reply event_list(const Arguments& arguments);
Reply event_tail(const Arguments& arguments);
Reply index_status(const Arguments& arguments);
Reply index_rebuild(const Arguments& arguments);

std::string inbox_text(const Document& document, const Style& style);
std::string event_list_text(const Document& document, const Style& style);
std::string event_tail_text(const Document& document, const Style& style);
std::string index_text(const Document& document, const Style& style);

Reply memory_save(const Arguments& arguments);
Reply memory_recall(const Arguments& arguments);
Reply memory_list(const Arguments& arguments);
Reply memory_show(const Arguments& arguments);
Reply memory_link(const Arguments& arguments);
Reply memory_forget(const Arguments& arguments);
Reply memory_export(const Arguments& arguments);
Reply memory_import(const Arguments& arguments);

std::string memory_save_text(const Document& document, const Style& style);
std::string memory_recall_text(const Document& document, const Style& style);
std::string memory_list_text(const Document& document, const Style& style);
std::string memory_show_text(const Document& document, const Style& style);
std::string memory_link_text(const Document& document, const Style& style);
std::string memory_forget_text(const Document& document, const Style& style);
std::string memory_export_text(const Document& document, const Style& style);
std::string memory_import_text(const Document& document, const Style& style);

Reply show_schema(const Arguments& arguments);
Reply show_version(const Arguments& arguments);
Reply show_completion(const Arguments& arguments);
Reply show_help(const Arguments& arguments);

std::string schema_text(const Document& document, const Style& style);
std::string version_text(const Document& document, const Style& style);
std::string completion_text(const Document& document, const Style& style);
std::string help_text(const Document& document, const Style& style);

}  // namespace reprise
