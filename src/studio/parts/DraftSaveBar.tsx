import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'

interface DraftSaveBarProps {
  editing: {
    /** The fields that differ, by their labels. */
    lines: readonly string[]
    problems: Readonly<Record<string, string>>
    isPending: boolean
    save: () => void
    discard: () => void
  }
  whyNot: string | undefined
}

/** Lists what saving would change, and what stands in the way. It is not there while there is nothing to save. */
export function DraftSaveBar({ editing, whyNot }: DraftSaveBarProps) {
  const { lines, problems, isPending, save, discard } = editing
  if (lines.length === 0) return null
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-3 z-2 flex flex-col gap-3 rounded-lg border border-line-raised bg-raised p-3.5 shadow-float"
    >
      {[...new Set(Object.values(problems))].map((problem) => (
        <FormError key={problem} title={problem} />
      ))}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <output className="block font-medium">Unsaved changes</output>
          <p className="text-xs text-muted">{lines.join(' · ')}</p>
        </div>
        <div className="flex gap-2">
          <Button onClick={discard}>Discard</Button>
          <Button variant="primary" onClick={save} busy={isPending} disabledReason={whyNot}>
            Save changes
          </Button>
        </div>
      </div>
    </section>
  )
}
