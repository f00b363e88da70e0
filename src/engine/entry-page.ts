import { sql } from './sql'

/** Page and screen views; all other events are actions. */
export const isView = sql`(event in ('$pageview', '$screen'))`

/** The page where a session begins: that of its first view. */
export const entryPage = { column: sql`path`, when: isView }

/** The page where a session ends: that of its last view. */
export const exitPage = { ...entryPage, isLast: true } as const
