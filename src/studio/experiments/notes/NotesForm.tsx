'use client'

import { lazy, Suspense, useState } from 'react'
import { Field } from '#ui/form/Field'
import { Textarea } from '#ui/form/Textarea'
import { Skeleton } from '#ui/page/Skeleton'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { changeExperiment } from '../actions'

const Markdown = lazy(async () => ({ default: (await import('#dashboards/Markdown')).Markdown }))

interface NotesFormProps {
  slug: string
  id: string
  /** The state that the form was opened with. */
  changedAt: string
  hypothesis: string
  notes: string
  whyNot: string | undefined
}

/** The texts of an experiment, with a preview of the notes beside them. */
export function NotesForm({ slug, id, changedAt, whyNot, ...saved }: NotesFormProps) {
  const [hypothesis, setHypothesis] = useState(saved.hypothesis)
  const [notes, setNotes] = useState(saved.notes)
  return (
    <ChangeForm
      change={() => changeExperiment(slug, id, { hypothesis, notes, changedAt })}
      saved="The notes are saved"
    >
      <Field label="Hypothesis" name="hypothesis" hint="What should change, for which people, and why.">
        <Textarea rows={3} value={hypothesis} onChange={setHypothesis} />
      </Field>
      <div className="grid gap-5 lg:grid-cols-2">
        <Field
          label="Notes and learnings"
          name="notes"
          hint="In Markdown: # heading, **strong**, *emphasis*, - list, [words](https://…)."
        >
          <Textarea rows={12} value={notes} onChange={setNotes} />
        </Field>
        <section aria-label="Preview of the notes" className="flex min-w-0 flex-col gap-1.5">
          <p aria-hidden className="font-medium">
            Preview
          </p>
          <div className="grow rounded-md border border-line bg-sunken px-3 py-2">
            {notes.trim() === '' ? (
              <p className="text-muted">No notes yet. Write what you expected, saw and learned.</p>
            ) : (
              <Suspense fallback={<Skeleton className="h-40 w-full" />}>
                <Markdown text={notes} />
              </Suspense>
            )}
          </div>
        </section>
      </div>
      <div>
        <Submit disabledReason={whyNot}>Save notes</Submit>
      </div>
    </ChangeForm>
  )
}
