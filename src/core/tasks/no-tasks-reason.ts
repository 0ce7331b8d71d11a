/** What a work run says in a project without tasks. */
export const noTasksReason = "There are no tasks yet. Add some: ralph task import FILE";
