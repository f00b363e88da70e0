/** The cookie that remembers where somebody was. It says nothing a stranger could use, so the page itself keeps it. */
export const lastProject = 'project'
