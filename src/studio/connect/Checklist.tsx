import { CodeBlock } from '#ui/copy/CodeBlock'
import { likelyCauses } from './likely-causes'

/** What to look at when nothing comes. */
export function Checklist({ address }: { address: string }) {
  return (
    <section aria-label="Troubleshooting" className="border-t border-line pt-3">
      <h3 className="font-medium">No events yet? Check these first</h3>
      <ul className="mt-2 flex flex-col gap-3">
        {likelyCauses(address).map(({ title, remedy, code }) => (
          <li key={title} className="flex flex-col gap-1.5">
            <p>{title}</p>
            <p className="text-pretty break-words text-muted">{remedy}</p>
            {code && <CodeBlock code={code} title="Content-Security-Policy" wrap />}
          </li>
        ))}
      </ul>
    </section>
  )
}
