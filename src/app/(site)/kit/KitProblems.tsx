import { type KitProblem, problemText } from '#site-kit/kit-manifest'

/** Mistakes in the site folder, for the team that works on it. */
export function KitProblems({ problems }: { problems: readonly KitProblem[] }) {
  if (problems.length === 0) return null
  return (
    <aside className="prose column" role="alert">
      <h2>The site folder has mistakes</h2>
      {problems.map((problem) => (
        <pre key={problemText(problem)} className="code">
          <code>{problemText(problem)}</code>
        </pre>
      ))}
    </aside>
  )
}
