import { fileWindows } from './internal/file-windows'
import type { HistoryCursor, HistoryRequest, HistoryWindow } from './history'
import { pageWindows } from './internal/page-windows'

/** Reads the events and then the persons of a project of PostHog's, from where an earlier run was interrupted. */
export const readHistory = (request: HistoryRequest, cursor: HistoryCursor): AsyncGenerator<HistoryWindow> =>
  cursor.way === 'files' ? fileWindows(request, cursor) : pageWindows(request, cursor)
