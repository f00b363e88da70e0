'use server'

import { requireRight } from '#projects/access'
import { failedOutcome } from '#projects/problems'
import type { Share } from '#shares/shares'
import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { catchRefusals, runProjectChange } from '#studio/parts/refusals'

/** The link of a share, and the sites that may embed it. */
export interface OpenedLink {
  id: string
  token: string
  frameHosts: readonly string[]
}

const toLink = ({ share: { id, frameHosts }, token }: { share: Share; token: string }): OpenedLink => ({
  id,
  token,
  frameHosts,
})

/** The share's id, the token of its link, and where it may be embedded. */
export async function createShare(
  slug: unknown,
  subject: unknown,
  form: unknown,
  parts: unknown,
): Promise<ActionResult<OpenedLink>> {
  const shareInput = {
    subject,
    parts,
    ...settingsIn(asFormData(form)),
    password: asFormData(form).get('password') || null,
  }
  const outcome = await runProjectChange(slug, ({ shares }, projectId, viewer) =>
    shares.create(projectId, shareInput, viewer),
  )
  return mapOutcome(outcome, toLink)
}

/** Reads a link again, for the member who made it. */
export async function readShareLink(slug: unknown, id: unknown): Promise<ActionResult<OpenedLink>> {
  const viewer = await requireViewer()
  return await catchRefusals(async () => {
    const { projects, shares } = getProduct()
    const project = projects.find(asText(slug), viewer)
    return mapOutcome(await shares.link(project.id, asText(id), viewer), toLink)
  })
}

/** Replaces the list of sites that may embed the share. */
export async function allowEmbedding(
  slug: unknown,
  id: unknown,
  form: unknown,
): Promise<ActionResult<{ frameHosts: readonly string[] }>> {
  const outcome = await runProjectChange(slug, async ({ shares }, projectId, viewer) => {
    requireRight('shares:write', projectId, viewer)
    const { frameHosts } = settingsIn(asFormData(form))
    return frameHosts.length === 0
      ? failedOutcome('Name the site that embeds this.', 'frameHosts')
      : await shares.change(projectId, asText(id), { frameHosts }, viewer)
  })
  return mapOutcome(outcome, ({ share }) => ({ frameHosts: share.frameHosts }))
}

/** An empty password leaves the one there is. */
export async function changeShare(
  slug: unknown,
  id: unknown,
  form: unknown,
  parts: unknown,
): Promise<ActionResult> {
  const formData = asFormData(form)
  const password = formData.has('withoutPassword') ? null : formData.get('password') || undefined
  const shareInput = { ...settingsIn(formData), parts, ...(password !== undefined && { password }) }
  const outcome = await runProjectChange(slug, ({ shares }, projectId, viewer) =>
    shares.change(projectId, asText(id), shareInput, viewer),
  )
  return mapOutcome(outcome, () => ({}))
}

export async function renewShare(slug: unknown, id: unknown): Promise<ActionResult<OpenedLink>> {
  const outcome = await runProjectChange(slug, ({ shares }, projectId, viewer) =>
    shares.renew(projectId, asText(id), viewer),
  )
  return mapOutcome(outcome, toLink)
}

export async function revokeShare(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ shares }, projectId, viewer) =>
    shares.revoke(projectId, asText(id), viewer),
  )
}

const settingsIn = (formData: FormData) => ({
  mayChangePeriod: formData.has('mayChangePeriod'),
  frameHosts: asText(formData.get('frameHosts'))
    .split(/[\s,]+/)
    .filter(Boolean),
  lastDay: formData.get('lastDay') || null,
})
