'use client'

import { lazyPanel } from '#studio/parts/lazy-panel'

/** Loaded once a page has been shown: until then, presses on numbers follow their links. */
export const LazyNumberMenu = lazyPanel(async () => (await import('#studio/numbers/NumberMenu')).NumberMenu)

export const LazyArchivedNotice = lazyPanel(async () => (await import('./ArchivedNotice')).ArchivedNotice)
