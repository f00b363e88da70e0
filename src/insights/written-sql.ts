import { syntaxPrefix } from '../engine/asker'
import { type Engine, EngineError } from '../engine/engine'
import { refusalOf, refusalOfText } from '../engine/guard'
import { surroundingsOf } from '../engine/surroundings'
import type { Written, WrittenAnswer } from '../engine/written'
import { type Outcome, undone } from '../projects/problems'
import { type Complaint, complaintAbout, told, unreadable } from './kinds/sql/complaint'
import { statementIn } from './kinds/sql/statement'

/** So many statements of one project run at a time; the others have questions, too. */
const mostAtOnce = 4
const tooManyAtOnce = `${mostAtOnce} statements of this project are running. Wait until one of them has ended.`

/** Takes what people wrote past the guard and to the engine, and says in their words what is wrong with it. */
export class WrittenSql {
  private readonly running = new Map<number, number>()

  constructor(private readonly engine: Pick<Engine, 'query' | 'askWritten' | 'syntaxOf'>) {}

  async ask(written: Written, signal?: AbortSignal): Promise<Outcome<{ answer: WrittenAnswer }>> {
    const { projectId } = written
    const running = this.running.get(projectId) ?? 0
    if (running >= mostAtOnce) throw new EngineError('unavailable', tooManyAtOnce)
    this.running.set(projectId, running + 1)
    try {
      return await this.checked(written, signal)
    } finally {
      this.left(projectId)
    }
  }

  private left(projectId: number): void {
    const running = (this.running.get(projectId) ?? 1) - 1
    if (running > 0) this.running.set(projectId, running)
    else this.running.delete(projectId)
  }

  private async checked(written: Written, signal: AbortSignal | undefined) {
    const statement = { ...written, text: statementIn(written.text) }
    const refusal = refusalOfText(statement.text)
    if (refusal) return undone(refusal, 'text')
    const tree = await this.tree(written, statement)
    if (!tree.done) return tree
    const found = refusalOf(statement.text, tree.lines, await surroundingsOf(this.engine))
    return found ? undone(found, 'text') : await this.answered(written, statement, signal)
  }

  private async tree(written: Written, statement: Written): Promise<Outcome<{ lines: string[] }>> {
    try {
      return { done: true, lines: await this.engine.syntaxOf(statement) }
    } catch (problem) {
      return wrong(problem, written, (message) =>
        unreadable(message, statement.text, written.text, syntaxPrefix),
      )
    }
  }

  private async answered(written: Written, statement: Written, signal: AbortSignal | undefined) {
    try {
      const answer = await this.engine.askWritten(statement, { ...(signal && { signal }) })
      return { done: true as const, answer }
    } catch (problem) {
      return wrong(problem, written, (message) => complaintAbout(message, written.text))
    }
  }
}

/** A statement the engine rejects is for whoever wrote it to mend; all else is not about the statement. */
function wrong(problem: unknown, { text }: Written, complain: (message: string) => Complaint) {
  if (!(problem instanceof EngineError) || problem.failure !== 'rejected') throw problem
  const message = problem.cause instanceof Error ? problem.cause.message : problem.message
  return undone(told(complain(message), text), 'text')
}
