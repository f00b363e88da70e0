/** What goes to full screen. */
export const boardId = 'board'
