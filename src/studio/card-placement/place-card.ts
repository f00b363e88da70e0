import type { MemberViewer } from '#projects/access'
import { nameFor } from '#projects/name'
import type { FailedOutcome, Outcome } from '#projects/problems'
import type { Product } from '#server/product'
import { asText } from '#studio/parts/form-data'

/** The value of the choice that creates a dashboard. */
const newDashboardChoice = 'new'

/** The dashboard that the fields of `DashboardChoice` name. */
export type ChosenDashboard = { id: string } | { newName: string }

const dashboardName = nameFor('Name the dashboard.')

/** Reads the fields of `DashboardChoice`; undefined for no dashboard. */
export function chosenDashboardIn(form: FormData): Outcome<{ chosen: ChosenDashboard | undefined }> {
  const id = asText(form.get('dashboard'))
  if (id !== newDashboardChoice) return { done: true, chosen: id ? { id } : undefined }
  const name = dashboardName.safeParse(asText(form.get('dashboardName')))
  if (name.success) return { done: true, chosen: { newName: name.data } }
  const [issue] = name.error.issues
  return { done: false, problems: [{ field: 'dashboardName', message: issue?.message ?? '' }] }
}

/** Adds a card to the chosen dashboard, which checks its content. */
export async function placeCard(
  { dashboards }: Pick<Product, 'dashboards'>,
  projectId: number,
  { content, chosen }: { content: unknown; chosen: ChosenDashboard },
  viewer: MemberViewer,
): Promise<Outcome<{ dashboard: { id: string; name: string } }> | FailedOutcome> {
  const placed =
    'id' in chosen
      ? await dashboards.addCard(projectId, chosen.id, { content }, viewer)
      : await dashboards.create(projectId, { name: chosen.newName, cards: [{ content }] }, viewer)
  if (!placed.done) return placed
  const { id, name } = placed.dashboard
  return { done: true, dashboard: { id, name } }
}
