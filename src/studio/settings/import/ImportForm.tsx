'use client'

import { FileUp, X } from 'lucide-react'
import { type DragEvent, type FormEvent, useId, useRef, useState } from 'react'
import { Button } from '#ui/Button'
import { bytes } from '#ui/format'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { FormError } from '#ui/form/FormError'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { useNavigation } from '#ui/navigation/Navigation'
import { Progress } from '#ui/Progress'
import { LeavingGuard } from '#studio/parts/LeavingGuard'
import { useDirectChange } from '#studio/parts/Change'
import { previewUpload } from './import-actions'
import { sendFiles } from './send-files'

interface ImportFormProps {
  slug: string
  timeZone: string
  sources: readonly { name: string; label: string; files: string }[]
}

/** Chooses a product and its files, and sends them for a preview. */
export function ImportForm({ slug, timeZone, sources }: ImportFormProps) {
  const [source, setSource] = useState(sources[0]?.name ?? '')
  const [files, setFiles] = useState<readonly File[]>([])
  const [until, setUntil] = useState('')
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const { make, question } = useDirectChange()
  const { refresh } = useNavigation()
  const chosen = sources.find(({ name }) => name === source)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (share !== undefined) return
    setProblem(undefined)
    setShare(0)
    const sent = await sendFiles({ slug, source, files, onProgress: setShare })
    const failed = sent.done
      ? (await make(() => previewUpload(slug, sent.id, until), {}))?.error
      : sent.message
    setShare(undefined)
    setProblem(failed)
    if (failed === undefined) setFiles([])
    // files that have arrived are shown below
    else refresh()
  }

  return (
    <Form onSubmit={(event) => void submit(event)}>
      {problem && <FormError title={problem} />}
      {question}
      <Field label="Product" hint={chosen && `Reads ${chosen.files}.`}>
        <Select
          options={sources.map(({ name, label }) => ({ value: name, label }))}
          value={source}
          onChange={setSource}
        />
      </Field>
      <FileDrop files={files} onChange={setFiles} />
      <Field
        label="Leave out events from"
        optional
        hint={`When your site began to send events to Tilth itself. Time zone: ${timeZone}.`}
      >
        <TextInput type="datetime-local" value={until} onChange={({ target }) => setUntil(target.value)} />
      </Field>
      {share !== undefined && <Progress label="Uploading" value={share} />}
      <div>
        <Button
          type="submit"
          variant="primary"
          busy={share !== undefined}
          disabledReason={files.length === 0 ? 'Choose one or more files.' : undefined}
        >
          Upload and preview
        </Button>
      </div>
      <LeavingGuard isUnsaved={share !== undefined} />
    </Form>
  )
}

interface FileDropProps {
  files: readonly File[]
  onChange: (files: readonly File[]) => void
}

/** A place to drop files, with a button that opens the browser's own dialog. */
function FileDrop({ files, onChange }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const labelId = useId()
  const add = (added: readonly File[]) => onChange([...files, ...added])

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    add([...event.dataTransfer.files])
  }

  return (
    <div className="flex flex-col gap-1.5">
      <span id={labelId} className="font-medium">
        Files
      </span>
      {/* the button takes by keys the files that a pointer drops here */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <fieldset
        aria-labelledby={labelId}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={`flex flex-col items-start gap-3 rounded-md border border-dashed p-4 ${isOver ? 'border-focus bg-accent-soft' : 'border-line-strong'}`}
      >
        {files.length > 0 && <ChosenFiles files={files} onChange={onChange} />}
        <Button icon={<Icon of={FileUp} />} onClick={() => input.current?.click()}>
          {files.length > 0 ? 'Add files…' : 'Choose files…'}
        </Button>
        <p className="text-xs text-muted">
          Or drop them here. Plain, compressed or in a zip archive; they are deleted once they are imported.
        </p>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          aria-label="Files"
          onChange={({ target }) => {
            add([...(target.files ?? [])])
            // the same file may be chosen again
            target.value = ''
          }}
        />
      </fieldset>
    </div>
  )
}

const mostListed = 20

function ChosenFiles({ files, onChange }: FileDropProps) {
  return (
    <ul className="flex w-full flex-col gap-1">
      {files.slice(0, mostListed).map((file, index) => (
        <li key={`${file.name} ${index}`} className="flex items-center gap-2">
          <span className="min-w-0 truncate font-medium">{file.name}</span>
          <span className="shrink-0 text-muted">{bytes(file.size)}</span>
          <IconButton
            label={`Remove ${file.name}`}
            size="sm"
            icon={<Icon of={X} size="sm" />}
            onClick={() => onChange(files.toSpliced(index, 1))}
          />
        </li>
      ))}
      {files.length > mostListed && <li className="text-muted">and {files.length - mostListed} more</li>}
    </ul>
  )
}
