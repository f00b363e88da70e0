import { explainAstPrefix } from '#engine/user-query-client'
import { type Engine, EngineError } from '#engine/engine'
import { rejectionReason } from '#engine/failures'
import { refusalOf, refusalOfText } from '#engine/guard'
import { readEngineCatalog } from '#engine/engine-catalog'
import type { UserQuery, UserQueryResult } from '#engine/user-query'
import { type Outcome, failedOutcome } from '#projects/problems'
import { type SqlProblem, engineProblem, sqlProblemText, syntaxProblem } from './sql-problem'
import { statementIn } from '../statement'

/** The concurrent statements of one project, so that other projects get their share. */
const mostAtOnce = 4
const tooManyAtOnce = `${mostAtOnce} queries of this project are running. Wait until one has ended.`

/** Checks user-written SQL, runs it, and reports problems with the position in the user's text. */
export class WrittenSql {
  private readonly running = new Map<number, number>()

  constructor(private readonly engine: Pick<Engine, 'query' | 'runUserQuery' | 'explainSyntax'>) {}

  async ask(written: UserQuery, signal?: AbortSignal): Promise<Outcome<{ answer: UserQueryResult }>> {
    const { projectId } = written
    const running = this.running.get(projectId) ?? 0
    if (running >= mostAtOnce) throw new EngineError('unavailable', tooManyAtOnce)
    this.running.set(projectId, running + 1)
    try {
      return await this.check(written, signal)
    } finally {
      this.release(projectId)
    }
  }

  private release(projectId: number): void {
    const running = (this.running.get(projectId) ?? 1) - 1
    if (running > 0) this.running.set(projectId, running)
    else this.running.delete(projectId)
  }

  private async check(written: UserQuery, signal: AbortSignal | undefined) {
    const statement = { ...written, text: statementIn(written.text) }
    const refusal = refusalOfText(statement.text)
    if (refusal) return failedOutcome(refusal, 'text')
    const tree = await this.tree(written, statement)
    if (!tree.done) return tree
    const found = refusalOf(statement.text, tree.lines, await readEngineCatalog(this.engine))
    return found ? failedOutcome(found, 'text') : await this.answered(written, statement, signal)
  }

  private async tree(written: UserQuery, statement: UserQuery): Promise<Outcome<{ lines: string[] }>> {
    try {
      return { done: true, lines: await this.engine.explainSyntax(statement) }
    } catch (problem) {
      return sqlProblem(problem, written, (message) =>
        syntaxProblem(message, statement.text, written.text, explainAstPrefix),
      )
    }
  }

  private async answered(written: UserQuery, statement: UserQuery, signal: AbortSignal | undefined) {
    try {
      const answer = await this.engine.runUserQuery(statement, { ...(signal && { signal }) })
      return { done: true as const, answer }
    } catch (problem) {
      return sqlProblem(problem, written, (message) => engineProblem(message, written.text))
    }
  }
}

/** Returns a problem for a statement that the engine rejects; rethrows errors that are not about the statement. */
function sqlProblem(problem: unknown, { text }: UserQuery, complain: (message: string) => SqlProblem) {
  if (!(problem instanceof EngineError) || problem.failure !== 'rejected') throw problem
  return failedOutcome(sqlProblemText(complain(rejectionReason(problem)), text), 'text')
}
