'use client'

import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'
import type { SurveyEditing } from './use-survey-draft'

/** Lists what saving would change, and what stands in the way. It is not there while there is nothing to save. */
export function SurveySaveBar({ editing, whyNot }: { editing: SurveyEditing; whyNot: string | undefined }) {
  const { lines, problems, isPending, save, discard } = editing
  if (lines.length === 0) return null
  const sentences = [...new Set(Object.values(problems))]
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-3 z-2 flex flex-col gap-3 rounded-lg border border-line-raised bg-raised p-3.5 shadow-float"
    >
      {sentences.map((sentence) => (
        <FormError key={sentence} title={sentence} />
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
