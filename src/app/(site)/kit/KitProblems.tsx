import { createElement } from 'react'
import { type KitProblem, problemText } from '#site-kit/kit-manifest'

/** Mistakes in the site folder, for the team that works on it. A script shows them above the page. */
export function KitProblems({ problems }: { problems: readonly KitProblem[] }) {
  if (problems.length === 0) return null
  return (
    <aside className="prose column">
      <h2>The site folder has mistakes</h2>
      {problems.map((problem) =>
        createElement(
          'tilth-problem',
          { key: problemText(problem), 'data-problem': JSON.stringify(problem) },
          <pre className="code">
            <code>{problemText(problem)}</code>
          </pre>,
        ),
      )}
    </aside>
  )
}
