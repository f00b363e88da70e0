'use client'

import { lazyPanel } from '#studio/parts/lazy-panel'

/** Every page of the studio has the answer to a wrong address with it; the list of all pages is loaded where it is read. */
export const DidYouMean = lazyPanel(async () => (await import('./NearestPageLink')).NearestPageLink)
