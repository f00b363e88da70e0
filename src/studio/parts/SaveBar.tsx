import { plural } from '#ui/format'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'
import { TextInput } from '#ui/form/TextInput'
import { AlertDialog, type AlertDialogProps } from '#ui/overlay/AlertDialog'
import { LeavingGuard } from './LeavingGuard'
import type { VersionedDraft } from './use-versioned-draft'

interface SaveBarProps {
  editing: Pick<
    VersionedDraft,
    'lines' | 'isUnsaved' | 'problems' | 'isSaving' | 'note' | 'setNote' | 'saveSoon' | 'discard'
  >
  whyNot: string | undefined
  label?: string
  /** Whether a save may have a note for the history. */
  hasNote?: boolean
  /** The question before the save. */
  question?: Pick<AlertDialogProps, 'title' | 'body' | 'confirmLabel' | 'destructive'> | undefined
}

const shownLines = 4

/** Lists what saving would change, and what stands in the way. It is not there while there is nothing to save. */
export function SaveBar({ editing, whyNot, label = 'Save changes', hasNote, question }: SaveBarProps) {
  const [isAsking, setAsking] = useState(false)
  const { lines, problems, isSaving, note, setNote, saveSoon, discard } = editing
  return (
    <>
      <LeavingGuard isUnsaved={editing.isUnsaved} />
      {lines.length > 0 && (
        <section
          aria-label="Unsaved changes"
          className="sticky bottom-3 z-2 flex flex-col gap-3 rounded-lg border border-line-raised bg-raised p-3.5 shadow-float"
        >
          {[...new Set(Object.values(problems))].map((problem) => (
            <FormError key={problem} title={problem} />
          ))}
          <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
            <UnsavedLines lines={lines} />
            <div className="flex flex-wrap gap-2 max-sm:w-full">
              {hasNote && (
                <div className="w-full sm:w-56">
                  <TextInput
                    aria-label="Change note"
                    placeholder="Change note"
                    value={note}
                    onChange={({ target }) => setNote(target.value)}
                  />
                </div>
              )}
              <Button onClick={discard}>Discard</Button>
              {question && (
                <AlertDialog {...question} open={isAsking} onOpenChange={setAsking} onConfirm={saveSoon} />
              )}
              <Button
                variant="primary"
                onClick={() => (question ? setAsking(true) : saveSoon())}
                busy={isSaving}
                disabledReason={whyNot}
              >
                {label}
              </Button>
            </div>
          </div>
        </section>
      )}
    </>
  )
}

const UnsavedLines = ({ lines }: { lines: readonly string[] }) => (
  <div className="min-w-0 grow basis-80">
    <output className="block font-medium">{plural(lines.length, 'change')}</output>
    <ul className="mt-0.5 max-h-32 overflow-y-auto text-xs text-muted">
      {lines.slice(0, shownLines).map((line) => (
        <li key={line} className="line-clamp-2 wrap-anywhere">
          {line}
        </li>
      ))}
      {lines.length > shownLines && <li>and {lines.length - shownLines} more</li>}
    </ul>
  </div>
)
