// SPDX-License-Identifier: Apache-2.0
//
// All commands, in the order of help texts. Each is defined in its own file.
#pragma once

#include "cli/common/command.h"

namespace vireo::cli {

extern const Command as_command, dis_command, val_command, run_command;
extern const Command strip_command, trim_command, clean_command, specialize_command, shrink_command, link_command,
    opt_command;
extern const Command reflect_command, info_command, cfg_command, callgraph_command, diff_command;
extern const Command explain_command, rules_command, grammar_check_command, grammar_diff_command;
extern const Command isa_check_command, isa_dis_command, isa_explain_command, isa_doc_command, isa_generate_command,
    isa_diff_command, isa_vectors_command, isa_as_command, isa_encode_command;
extern const Command completion_command, man_command;
extern const Command spirv_as_command, spirv_dis_command, spirv_val_command, spirv_diff_command, spirv_cfg_command,
    spirv_opt_command, spirv_link_command;

inline constexpr const Command* all_commands[] = {
    &as_command,        &dis_command,         &val_command,         &run_command,           &strip_command,
    &trim_command,      &clean_command,       &specialize_command,  &shrink_command,        &link_command,
    &opt_command,       &reflect_command,     &info_command,        &cfg_command,           &callgraph_command,
    &diff_command,      &explain_command,     &rules_command,       &grammar_check_command, &grammar_diff_command,
    &isa_check_command, &isa_dis_command,     &isa_explain_command, &isa_doc_command,       &isa_generate_command,
    &isa_diff_command,  &isa_vectors_command, &isa_as_command,      &isa_encode_command,    &completion_command,
    &man_command,       &spirv_as_command,    &spirv_dis_command,   &spirv_val_command,     &spirv_diff_command,
    &spirv_cfg_command, &spirv_opt_command,   &spirv_link_command};

}  // namespace vireo::cli
