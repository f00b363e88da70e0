import type { InsightsDependencies } from '#insights/ask'
import type { Store } from '#store/store'
import { dailyTotalsWithin, firstDailyTotal } from './store'

/** Lets queries about visits count days whose events are gone. */
export const storedDailyTotals = (store: Store): NonNullable<InsightsDependencies['dailyTotals']> => ({
  within: (projectId, period) => dailyTotalsWithin(store, projectId, period),
  first: (projectId) => firstDailyTotal(store, projectId),
})
