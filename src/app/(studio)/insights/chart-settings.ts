import type { ChartSettings } from '#insights/chart/chart-settings'
import type { Project } from '#projects/project'
import { getProduct } from '../../product'

/** Whose clock and whose money the charts of a project speak of. */
export function chartSettingsOf(project: Project): ChartSettings {
  const { currency, weekStart } = getProduct().insights.settingsOf(project)
  return { timeZone: project.timeZone, currency, weekStart }
}
