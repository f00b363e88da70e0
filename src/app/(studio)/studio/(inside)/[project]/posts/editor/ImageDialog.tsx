'use client'

import { ImagePlus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '#ui/Button'
import { Dialog } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { TextInput } from '#ui/form/TextInput'
import type { Picture } from '#posts/post'
import { FileButton } from './FileButton'
import { useUploads } from './use-uploads'
import { Thumbnail } from '../Thumbnail'

interface ImageDialogProps {
  slug: string
  /** Those that were pasted or dropped; none where a button was pressed. */
  files: readonly File[]
  onInsert: (pictures: Picture[]) => void
  onClose: () => void
}

/** Uploads pictures for a text, each with its alternative text. */
export function ImageDialog({ slug, files, onInsert, onClose }: ImageDialogProps) {
  const { pictures, problems, isSending, add, describe, remove } = useUploads(slug)
  const begun = useRef(false)

  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void add(files)
  }, [add, files])

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Insert pictures"
      description="They are made smaller for the screens they are seen on, and lose where they were taken."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={isSending}
            disabledReason={pictures.length === 0 && !isSending ? 'Choose a picture first.' : undefined}
            onClick={() => onInsert(pictures)}
          >
            Insert
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problems.map((problem) => (
          <FormError key={problem} title={problem} />
        ))}
        <ul className="flex flex-col gap-3 empty:hidden">
          {pictures.map((picture, index) => (
            <Described
              key={picture.address}
              picture={picture}
              place={index}
              onDescribe={describe(index)}
              onRemove={remove(index)}
            />
          ))}
        </ul>
        <div>
          <FileButton icon={<Icon of={ImagePlus} />} multiple onFiles={(chosen) => void add(chosen)}>
            {pictures.length === 0 ? 'Choose pictures…' : 'Add another…'}
          </FileButton>
        </div>
      </div>
    </Dialog>
  )
}

function Described({
  picture: { address, alt },
  place: index,
  onDescribe,
  onRemove,
}: {
  picture: Picture
  place: number
  onDescribe: (alt: string) => void
  onRemove: () => void
}) {
  return (
    <li className="flex items-start gap-3">
      <Thumbnail address={address} className="size-16 shrink-0 rounded-md border border-line object-cover" />
      <div className="min-w-0 grow">
        <Field
          label={`What picture ${index + 1} shows`}
          hint="For those who do not see it. Leave it empty where it only decorates."
        >
          <TextInput value={alt} maxLength={500} onChange={({ target }) => onDescribe(target.value)} />
        </Field>
      </div>
      <IconButton label={`Leave out picture ${index + 1}`} icon={<Icon of={X} />} onClick={onRemove} />
    </li>
  )
}
