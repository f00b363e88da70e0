'use client'

import { Trash2 } from 'lucide-react'
import type { ImageUse } from '#posts/pictures/image-uses'
import type { LibraryImage } from '#posts/pictures/image-library'
import { Anchor } from '#ui/Anchor'
import { Button } from '#ui/Button'
import { CopyField } from '#ui/copy/CopyField'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { date } from '#ui/format'
import { Icon } from '#ui/Icon'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { Thumbnail } from '../Thumbnail'
import { changeImage, removeImage } from './actions'
import { addressOfImage, copyOf, imageSizes, markdownOfImage } from './image-facts'

interface ImageDetailsProps {
  slug: string
  image: LibraryImage
  clock: { timeZone: string }
  whyNot: string | undefined
  onClose: () => void
}

/** One picture: its name, its description, its uses, and the way to use it elsewhere. */
export function ImageDetails({ slug, image, clock, whyNot, onClose }: ImageDetailsProps) {
  const { file, name, alt, createdBy, createdAt, uses } = image
  return (
    <ChangeDialog
      open
      onClose={onClose}
      size="lg"
      title={name}
      description={`${imageSizes(image)} · ${createdBy}, ${date(createdAt, clock.timeZone)}`}
      change={(form) => changeImage(slug, file, { name: form.get('name'), alt: form.get('alt') })}
      saved="Image saved"
      submit="Save"
      incomplete={whyNot}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-3">
          <Thumbnail
            address={copyOf(image, 960)}
            alt={alt}
            className="max-h-72 w-full rounded-md border border-line bg-sunken object-contain"
          />
          <Uses slug={slug} uses={uses} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Field label="Name" name="name">
            <TextInput
              defaultValue={name}
              maxLength={200}
              autoComplete="off"
              disabled={whyNot !== undefined}
            />
          </Field>
          <Field
            label="Alt text"
            name="alt"
            hint="For screen readers, offered wherever the image is inserted. Posts keep the text they have."
          >
            <TextInput
              defaultValue={alt}
              maxLength={500}
              autoComplete="off"
              disabled={whyNot !== undefined}
            />
          </Field>
          <CopyField label="Markdown" value={markdownOfImage(image)} />
          <CopyField label="Address" value={addressOfImage(image)} />
          <div>
            <RemoveImage slug={slug} image={image} whyNot={whyNot} onRemoved={onClose} />
          </div>
        </div>
      </div>
    </ChangeDialog>
  )
}

function Uses({ slug, uses }: { slug: string; uses: readonly ImageUse[] }) {
  if (uses.length === 0) return <p className="text-muted">No post, page, author or setting uses it.</p>
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="font-medium">Used in</h3>
      <ul className="flex max-h-40 flex-col gap-1 overflow-y-auto">
        {uses.map((use) => (
          <li key={`${use.in} ${use.id}`} className="flex min-w-0 items-baseline justify-between gap-2">
            <Anchor href={addressOfUse(slug, use)} className="min-w-0 truncate underline">
              {use.title}
            </Anchor>
            <span className="text-xs text-muted">{useLabels[use.in]}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const useLabels = { post: 'Post', page: 'Page', author: 'Author', site: 'Site' } as const

function addressOfUse(slug: string, use: ImageUse): string {
  if (use.in === 'author') return paths.authors(slug)
  return use.in === 'site' ? paths.siteSettings(slug) : paths.post(slug, use.id)
}

const namedUses = 5

/** Names what will show a gap. */
function RemoveImage({
  slug,
  image: { file, name, uses },
  whyNot,
  onRemoved,
}: Omit<ImageDetailsProps, 'clock' | 'onClose'> & { onRemoved: () => void }) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title={`Delete ${name}?`}
      body={
        <>
          {uses.length > 0 && (
            <>
              It is used in:
              <ul className="my-2 list-disc pl-5 text-ink">
                {uses.slice(0, namedUses).map((use) => (
                  <li key={`${use.in} ${use.id}`} className="wrap-anywhere">
                    {use.title}
                  </li>
                ))}
                {uses.length > namedUses && <li>and {uses.length - namedUses} more</li>}
              </ul>
              They will show a gap in its place.{' '}
            </>
          )}
          The file is deleted for good.
          {question}
        </>
      }
      confirmLabel="Delete image"
      onConfirm={() =>
        make(() => removeImage(slug, file, { alsoIfUsed: uses.length > 0 }), {
          saved: `${name} deleted`,
          onDone: onRemoved,
        })
      }
      trigger={
        <Button type="button" variant="quiet" icon={<Icon of={Trash2} />} disabledReason={whyNot}>
          Delete image…
        </Button>
      }
    />
  )
}
