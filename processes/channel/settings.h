// How the channel behaves. Its own settings are stronger than those of the home, which come with
// each message, and those than the defaults; the merged whole is kept here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "processes/channel/event.h"

namespace reprise::channel {

struct CompactorLevel {
  std::string name;  ///< "soft"
  double above = 0;  ///< utilization, strictly
  int64_t reduction_percent = 0;
};

struct Settings {
  Json home = Json::object();  ///< "channels" of the home's config.json, as it was last sent
  Json own = Json::object();   ///< of this channel

  // The merged values.
  std::string routing_policy = "keyword";
  /// Of routing: an entry is one word or some in a row; one that ends in * is a stem.
  std::vector<std::string> worker_words;
  std::vector<std::string> branch_words;
  int64_t context_window = 32'000;  ///< tokens
  size_t history_messages = 80;
  std::string prefix = "!loop";
  std::string agent_id = "agent";
  int64_t run_timeout_ms = 3'600'000;
  int64_t retries_on_error = 1;
  bool streaming = true;
  std::vector<CompactorLevel> levels;  ///< soft, aggressive, emergency
  size_t keep_messages = 8;
  int64_t keep_tokens = 2000;
  bool auto_close = false;
  int64_t auto_close_after_ms = 1'800'000;
  bool recall = true;
  size_t recall_limit = 8;
  bool extract_todos = true;
  /// {"owners":{"users","roles"},"members":{...}} of the home.
  Json home_permissions = Json::object();

  Settings();
  void evolve(const Event& event);
  Json to_json() const;
  void restore(const Json& json);

  /// The merged whole, as somebody would write it; without the permissions.
  Json shown() const;

  /// What is wrong with settings that somebody gives, or empty: "routing.policy must be ...". A
  /// member that is null is as if it were left out; in a patch it takes away what was set.
  static std::string check(const Json& settings);
  /// The same of a channel's own, which hold no permissions.
  static std::string check_own(const Json& settings);

 private:
  void merge();
  void merge_compactor(const Json& compactor);
};

}  // namespace reprise::channel
