import type { Seal } from '#flags/seal'
import type { Outbound } from '#outbound/outbound'
import { callWebhook, type WebhookDelivery } from '#outbound/webhook'
import type { Projects } from '#projects/projects'
import type { World } from '#world/world'
import type { Survey } from '../../survey'
import { isSlack, messageBody, responsePath, slackBody, type SubmissionContent } from './answer-message'
import type { SurveyWebhook } from './store'

export interface WebhookCallerDependencies {
  world: World
  outbound: Pick<Outbound, 'send' | 'refusalOf'>
  projects: Pick<Projects, 'numbered'>
  seal: Pick<Seal, 'open' | 'close'>
  /** The address of this Tilth. */
  address: string
}

interface WebhookMessage {
  id: string
  kind: 'survey.answered' | 'survey.test'
  survey: Pick<Survey, 'id' | 'name' | 'projectId'>
  submission: string
  content: SubmissionContent
}

/** A sealed secret opens for its address only. */
export const aboutSecret = (url: string): string => `survey webhook ${url}`

const sealedElsewhere =
  'The secret of this webhook was encrypted with another key. Restore flags.key, or remove the address and add it again.'

/** Makes one attempt to send a submission to a survey's webhook. */
export async function callSurveyWebhook(
  { url, secret: sealed }: SurveyWebhook,
  { id, kind, survey, submission, content }: WebhookMessage,
  { world, outbound, projects, seal, address }: WebhookCallerDependencies,
): Promise<WebhookDelivery> {
  const secret = seal.open(sealed, aboutSecret(url))
  if (secret === undefined) return { delivered: false, isFinal: true, why: sealedElsewhere }
  const project = projects.numbered(survey.projectId)
  const { slug = '', name = '' } = project ?? {}
  const bodyOf = isSlack(url) ? slackBody : messageBody
  const body = bodyOf(content, {
    kind,
    survey: { id: survey.id, name: survey.name },
    project: { slug, name },
    submission,
    url: new URL(responsePath(slug, survey.id, submission), address).href,
  })
  return await callWebhook(outbound, { url, body, signing: { secret, id, at: world.now() } })
}
