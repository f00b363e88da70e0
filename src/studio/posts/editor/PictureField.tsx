'use client'

import { ImagePlus, Images, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Picture } from '#posts/post'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { TextInput } from '#ui/form/TextInput'
import { FileButton } from './FileButton'
import { upload } from './upload'
import { Thumbnail } from '../Thumbnail'

const LibraryDialog = lazy(async () => ({
  default: (await import('../images/LibraryDialog')).LibraryDialog,
}))

interface PictureFieldProps {
  slug: string
  /** The noun in sentences: "cover", "logo". */
  noun: string
  picture: Picture | undefined
  onChange: (picture: Picture | undefined) => void
  /** Whether what it shows is said by something else. */
  isNamed?: boolean
  error?: string | undefined
  whyNot?: string | undefined
}

/** One picture, uploaded or from the library, and described. */
export function PictureField({ slug, noun, picture, onChange, isNamed, error, whyNot }: PictureFieldProps) {
  const { isSending, problem, send } = useSending(slug, picture, onChange)
  const [isChoosing, setChoosing] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      {(problem ?? error) && <FormError title={problem ?? error ?? ''} />}
      {picture && (
        <Thumbnail
          address={picture.address}
          alt={picture.alt}
          className="max-h-44 w-full rounded-md border border-line bg-sunken object-contain"
        />
      )}
      <div className="flex flex-wrap gap-2">
        <FileButton
          icon={<Icon of={ImagePlus} />}
          busy={isSending}
          disabledReason={whyNot}
          onFiles={([file]) => file && void send(file)}
        >
          {picture ? `Another ${noun}…` : `Upload a ${noun}…`}
        </FileButton>
        <Button icon={<Icon of={Images} />} disabledReason={whyNot} onClick={() => setChoosing(true)}>
          From library…
        </Button>
        {picture && (
          <Button
            variant="quiet"
            icon={<Icon of={Trash2} />}
            disabledReason={whyNot}
            onClick={() => onChange(undefined)}
          >
            Remove
          </Button>
        )}
      </div>
      {picture && !isNamed && (
        <Field
          label={`Alt text of the ${noun}`}
          hint="For screen readers. Leave empty for decorative images."
        >
          <TextInput
            value={picture.alt}
            maxLength={500}
            onChange={({ target }) => onChange({ ...picture, alt: target.value })}
          />
        </Field>
      )}
      {isChoosing && (
        <Suspense>
          <LibraryDialog
            slug={slug}
            noun={noun}
            onClose={() => setChoosing(false)}
            onChoose={(chosen) => {
              setChoosing(false)
              onChange(chosen)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

function useSending(slug: string, picture: Picture | undefined, onChange: (picture: Picture) => void) {
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function send(file: File) {
    setSending(true)
    const uploaded = await upload(slug, file)
    setSending(false)
    setProblem(uploaded.done ? undefined : uploaded.message)
    if (uploaded.done) onChange({ ...uploaded.picture, alt: picture?.alt ?? '' })
  }
  return { isSending, problem, send }
}
