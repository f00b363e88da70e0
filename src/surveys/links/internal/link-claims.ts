import { hashToken } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Survey } from '../../survey'
import { claimLink, linkWithToken, reopenLink } from './store'
import { linkStateOf, type SurveyLink } from '../survey-link'

interface LinkClaimsDependencies {
  store: Store
  world: Pick<World, 'now'>
}

export type LinkCheck =
  | { isUsable: true; link: SurveyLink }
  /** The name of the sentence for the person who opened the link. */
  | { isUsable: false; problem: LinkProblem }

const problems = {
  unknown: 'linkUnknown',
  answered: 'linkAnswered',
  expired: 'linkExpired',
  revoked: 'linkRevoked',
} as const

type LinkProblem = (typeof problems)[keyof typeof problems]

/** The use of links by those who answer. */
export class LinkClaims {
  constructor(private readonly dependencies: LinkClaimsDependencies) {}

  /** Reads a link without using it. */
  async check({ projectId, id }: Pick<Survey, 'projectId' | 'id'>, token: string): Promise<LinkCheck> {
    const { store, world } = this.dependencies
    const link = await linkWithToken(store, hashToken(token))
    if (!link || link.projectId !== projectId || link.surveyId !== id)
      return { isUsable: false, problem: problems.unknown }
    const state = linkStateOf(link, world.now())
    return state === 'unused' || state === 'begun'
      ? { isUsable: true, link }
      : { isUsable: false, problem: problems[state] }
  }

  /** Uses a link for a submission. Returns the name of a sentence if it was used for another or is complete. */
  async claim(
    { id }: SurveyLink,
    { submission, isComplete }: { submission: string; isComplete: boolean },
  ): Promise<LinkProblem | undefined> {
    const { store, world } = this.dependencies
    const isOurs = await claimLink(store, { id, submission, isComplete }, world.now())
    return isOurs ? undefined : problems.answered
  }

  /** Takes the use of a link back, after answers that could not be recorded. */
  async reopen({ id }: SurveyLink, submission: string): Promise<void> {
    await reopenLink(this.dependencies.store, { id, submission })
  }
}
