/** The cookie with the slug of the last project. It is no secret, so the page's script writes it. */
export const lastProject = 'project'
