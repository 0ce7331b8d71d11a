/** What `/ralph-tasks` asks of an agent in a session (S2-56). The host puts the person's words in the place of `$ARGUMENTS`. */
export const tasksCommandText = `# Write tasks with completion criteria

What is wanted: $ARGUMENTS

You write tasks for \`ralph work\`; you implement nothing. Without words above, ask what the tasks are about, or which file describes it.

1. Read the specification and the project: its structure, its tests, how it is built. \`ralph task list\` shows the ids in use.
2. Ask the user about what is unclear, a few questions at a time. Do not guess where you can ask.
3. Write the tasks to \`tasks.yaml\`, by the rules below.
4. Run \`ralph task import --dry-run tasks.yaml\` and correct everything it names, until it names nothing.
5. Show the tasks as a list: id, title, dependencies, outcome, and for each role how its claim is verified, with the command. Say that
   these commands will run on this machine, and ask whether the tasks are right.
6. After a yes: \`ralph task import tasks.yaml\`, then \`ralph task list\`. Say what comes next: \`ralph work\` starts the work, \`ralph task
   follow-up ID\` adds a task after another one.

## Every task needs

- \`outcome\`: one measurable sentence that says what is true when the task is done.
- \`acceptance_criteria\`: a list of specific facts, each of which can be verified by reading code or running a command.

IMPORTANT: a task without them is worked on with default criteria only, which verify little.

## Each role may have

The roles are \`coder\`, \`reviewer\`, \`tester\` and \`qa\`. Leave a role out when the defaults will do.

- \`promise\`: what the role claims when it is done. Specific, in capitals: \`BASKET_IMPLEMENTED\`, not \`DONE\`.
- \`description\`: what the role has to achieve.
- \`verification_method\`: \`external\` where a command can tell, \`semantic\` where only a reader can, \`multi_stage\` where both matter,
  \`string_match\` where the claim is enough.
- \`verification_config\`: for \`external\` a \`command\`, and if needed \`success_exit_code\`, \`output_contains\`, \`output_not_contains\`, \`timeout\` in
  seconds and \`working_dir\`; for \`semantic\` lists \`check_for\` and \`negative_patterns\`; for \`multi_stage\` a list \`stages\` with \`name\`,
  \`method\`, \`config\` and \`required\`.
- \`max_iterations\`: its limit. A role that needs more than 20 has too large a task.

A command must exist in the project or be made by the task itself, and must fail before the work is done.

## The file

\`\`\`yaml
tasks:
  - id: basket-001
    spec: basket
    title: Put articles into a basket
    description: |
      What is to be done, and where.
    priority: 1
    dependencies: []
    completion:
      outcome: A visitor collects articles, and the basket survives a restart of the server.
      acceptance_criteria:
        - Adding the same article twice gives a quantity of 2
      coder:
        promise: BASKET_IMPLEMENTED
        description: The basket works and every test passes.
        verification_method: external
        verification_config:
          command: npm test
      qa:
        promise: BASKET_ACCEPTED
        description: Tests pass and every criterion holds.
        verification_method: multi_stage
        verification_config:
          stages:
            - name: tests
              method: external
              config:
                command: npm test
            - name: criteria
              method: semantic
              config:
                check_for: "{{acceptance_criteria}}"
\`\`\``;
