import { bounceRuleFrom } from '#insights/bounce-rule'
import type { ChartSettings } from '#insights/chart-settings'
import type { Project } from '#projects/project'
import { getProduct } from '#studio/product'

/** Returns the settings of a project's charts. */
export function chartSettingsOf(project: Project): ChartSettings {
  const settings = getProduct().insights.settingsOf(project)
  const { currency, weekStart } = settings
  return {
    timeZone: project.timeZone,
    currency,
    weekStart,
    bounceRule: bounceRuleFrom(settings),
    since: project.createdAt,
  }
}
