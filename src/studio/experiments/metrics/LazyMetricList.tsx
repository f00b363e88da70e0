'use client'

import { lazyPanel } from '#studio/parts/lazy-panel'

/** Loaded after the fields above it, with the dialogs of its metrics. */
export const LazyMetricList = lazyPanel(async () => (await import('./MetricList')).MetricList, 'h-24 w-full')
