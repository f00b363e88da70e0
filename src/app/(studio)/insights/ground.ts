import type { ChartGround } from '../../../insights/chart-ground'
import type { Project } from '../../../projects/project'
import { getProduct } from '../../product'

/** Whose clock and whose money the charts of a project speak of. */
export function groundOf(project: Project): ChartGround {
  const { currency, weekStart } = getProduct().insights.settingsOf(project)
  return { timeZone: project.timeZone, currency, weekStart }
}
