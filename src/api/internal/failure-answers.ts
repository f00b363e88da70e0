import { EngineError } from '#engine/engine'
import type { AccessRefusalReason } from '#projects/access'
import type { ApiResponse } from '../endpoints'

/** A key never has to confirm a password, so the last one cannot happen here; the type requires it. */
export const refusalStatuses: Readonly<Record<AccessRefusalReason, number>> = {
  'not-found': 404,
  'not-allowed': 403,
  'second-factor': 403,
  'confirm-password': 403,
}

/**
 * Answers trouble of the engine that passes, in the form of the API that was asked: the query was fine. A statement that
 * the engine rejects is a mistake of ours, and no such trouble.
 */
export function passingTrouble(
  problem: unknown,
  inForm: (status: number, trouble: EngineError) => ApiResponse,
): ApiResponse | undefined {
  if (!(problem instanceof EngineError) || problem.failure === 'rejected') return undefined
  const answer = inForm(problem.failure === 'deadline' ? 504 : 503, problem)
  return { ...answer, headers: { 'retry-after': '2' }, trouble: problem }
}
