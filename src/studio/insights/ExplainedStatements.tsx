import type { ExplainedStatement as Statement } from '#insights/answered-query'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { DescriptionList } from '#ui/DescriptionList'
import { bytes, duration, number, plural } from '#ui/format'
import { Panel } from '#ui/page/Panel'

/** The engine's statements behind an answer, with their cost. Shown to those with the right `sql:read`. */
export function ExplainedStatements({ statements }: { statements: readonly Statement[] }) {
  const sum = (of: (statement: Statement) => number) => statements.reduce((all, one) => all + of(one), 0)
  return (
    <Panel
      title="Query details"
      description={`${statementCount(statements.length)}, ${number(sum(({ rowsRead }) => rowsRead))} rows and ${bytes(sum(({ bytesRead }) => bytesRead))} read`}
    >
      <ol className="flex flex-col gap-6">
        {statements.map((statement, i) => (
          // the same statement may have been asked twice, and they never change their order
          <li key={i}>
            <ExplainedStatement statement={statement} number={i + 1} of={statements.length} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}

const statementCount = (statements: number): string => plural(statements, 'statement')

function ExplainedStatement({
  statement: { sql, parameters, rowsRead, bytesRead, tookMs },
  number: index,
  of,
}: {
  statement: Statement
  number: number
  of: number
}) {
  const bound = Object.entries(parameters)
  return (
    <div className="flex flex-col gap-2">
      <CodeBlock code={dedent(sql)} language="SQL" {...(of > 1 && { title: `Statement ${index}` })} wrap />
      <DescriptionList
        facts={[
          { term: 'Rows read', value: number(rowsRead) },
          { term: 'Data read', value: bytes(bytesRead) },
          { term: 'Time', value: duration(tookMs) },
          ...bound.map(([name, value]) => ({ term: `{${name}}`, value: formatParameter(value), mono: true })),
        ]}
      />
    </div>
  )
}

const longestValue = 400

function formatParameter(value: unknown): string {
  const text =
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? ''
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}

/** Removes the common indentation of nested statements. */
function dedent(sql: string): string {
  const lines = sql.split('\n').filter((line) => line.trim())
  const [, ...inner] = lines
  const indent = Math.min(...inner.map((line) => line.length - line.trimStart().length))
  return lines.map((line, i) => (i === 0 ? line.trimStart() : line.slice(indent))).join('\n')
}
