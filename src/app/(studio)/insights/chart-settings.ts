import type { ChartSettings } from '#insights/chart/chart-settings'
import type { Project } from '#projects/project'
import { getProduct } from '../../product'

/** Returns the time zone and currency of a project's charts. */
export function chartSettingsOf(project: Project): ChartSettings {
  const { currency, weekStart } = getProduct().insights.settingsOf(project)
  return { timeZone: project.timeZone, currency, weekStart }
}
