'use client'

import { ImagePlus, X } from 'lucide-react'
import { useEffect, useRef, useCallback, useState } from 'react'
import { Button } from '#ui/Button'
import { Dialog } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { TextInput } from '#ui/form/TextInput'
import type { Picture } from '#posts/post'
import { pictureOf } from '../images/image-facts'
import { LibraryPicker } from '../images/LibraryPicker'
import { FileButton } from './FileButton'
import { Thumbnail } from '../Thumbnail'
import { upload, type UploadResult } from './upload'

interface ImageDialogProps {
  slug: string
  /** The pasted or dropped files; empty if a button was pressed. */
  files: readonly File[]
  onInsert: (pictures: Picture[]) => void
  onClose: () => void
}

/** Pictures for a text, from the library or uploaded, each with its alternative text. */
export function ImageDialog({ slug, files, onInsert, onClose }: ImageDialogProps) {
  const { pictures, problems, isSending, add, toggle, describe, remove } = useUploads(slug)
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
      title="Insert images"
      size="lg"
      description="From the library or uploaded. Uploads are resized, and location data is removed."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={isSending}
            disabledReason={
              pictures.length === 0 && !isSending ? 'Choose or upload an image first.' : undefined
            }
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
            Upload images…
          </FileButton>
        </div>
        <LibraryPicker
          slug={slug}
          chosen={pictures.map(({ address }) => address)}
          onChoose={(image) => toggle(pictureOf(image))}
        />
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
          label={`Alt text of image ${index + 1}`}
          hint="For screen readers. Leave empty for decorative images."
        >
          <TextInput value={alt} maxLength={500} onChange={({ target }) => onDescribe(target.value)} />
        </Field>
      </div>
      <IconButton label={`Remove image ${index + 1}`} icon={<Icon of={X} />} onClick={onRemove} />
    </li>
  )
}

/** Pictures on their way to the server, and those that have arrived. */
function useUploads(slug: string) {
  const [pictures, setPictures] = useState<Picture[]>([])
  const [problems, setProblems] = useState<string[]>([])
  const [sending, setSending] = useState(0)

  const add = useCallback(
    async (files: readonly File[]) => {
      setProblems([])
      setSending((before) => before + files.length)
      await Promise.all(
        files.map(async (file) => {
          const uploaded = await upload(slug, file)
          setSending((before) => before - 1)
          if (uploaded.done) setPictures((before) => withOne(before, uploaded))
          else setProblems((before) => [...before, `${file.name}: ${uploaded.message}`])
        }),
      )
    },
    [slug],
  )

  return {
    pictures,
    problems,
    isSending: sending > 0,
    add,
    /** Takes a picture of the library in, or out again. */
    toggle: (picture: Picture) =>
      setPictures((before) =>
        before.some(({ address }) => address === picture.address)
          ? before.filter(({ address }) => address !== picture.address)
          : [...before, picture],
      ),
    describe: (index: number) => (alt: string) =>
      setPictures((before) => before.map((one, at) => (at === index ? { ...one, alt } : one))),
    remove: (index: number) => () => setPictures((before) => before.toSpliced(index, 1)),
  }
}

/** The same picture twice is one. */
const withOne = (before: Picture[], { picture }: Extract<UploadResult, { done: true }>): Picture[] =>
  before.some(({ address }) => address === picture.address) ? before : [...before, { ...picture, alt: '' }]
