/** The id of the element that is shown in full screen. */
export const boardId = 'board'
