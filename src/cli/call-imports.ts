import { type Outcome, failedOutcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { LocalCall } from './call-running-tilth'

/** An import as the management API answers it. */
export interface ImportAnswer {
  id: string
  source: string
  name: string
  state: string
  until?: string
  rows: number
  cursor?: string
  kept: number
  sums: number
  profiles: number
  dropped: Record<string, number>
  stored?: number
  firstAt?: string
  lastAt?: string
  createdBy: string
  createdAt: string
}

interface Answer {
  import: ImportAnswer
  imports: ImportAnswer[]
  retryAfterSeconds?: number
}

/** Reads, or posts where there is an input. `path` is below the project's imports. */
export async function callImports(
  call: LocalCall,
  { id }: Project,
  path: string,
  input?: object,
  method: 'GET' | 'POST' | 'DELETE' = input ? 'POST' : 'GET',
): Promise<Outcome<Answer>> {
  const { status, body } = await call({
    method,
    path: `/api/v1/projects/${id}/imports${path}`,
    ...(input && {
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(input)),
    }),
  })
  // the management API of this version answered
  const answer = JSON.parse(body) as Answer & { error?: { message: string } }
  return status < 300 ? { done: true, ...answer } : failedOutcome(answer.error?.message ?? `HTTP ${status}.`)
}
