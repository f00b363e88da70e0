'use client'

import { Pencil, Plus } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Author } from '#posts/post'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { PictureField } from '../editor/PictureField'
import { LinkRows } from '../site/LinkRows'
import { saveAuthor } from './actions'

interface AuthorDialogProps {
  slug: string
  /** Absent for a new one. */
  author?: Author
  whyNot: string | undefined
}

/** The values that are not form fields. */
type AuthorPictureAndLinks = Pick<Author, 'picture' | 'links'>

export function AuthorDialog({ slug, author, whyNot }: AuthorDialogProps) {
  const rest = useRef<AuthorPictureAndLinks>({ picture: undefined, links: [] })
  return (
    <ChangeDialog
      title={author ? `Change ${author.name}` : 'New author'}
      trigger={
        author ? (
          <IconButton label={`Change ${author.name}`} icon={<Icon of={Pencil} />} disabledReason={whyNot} />
        ) : (
          <Button variant="primary" icon={<Icon of={Plus} />} disabledReason={whyNot}>
            New author…
          </Button>
        )
      }
      change={(form) => saveAuthor(slug, author?.slug, inputIn(form, rest.current))}
      saved="Author saved"
      submit={author ? 'Save' : 'Add author'}
    >
      <AuthorFields
        slug={slug}
        author={author}
        onRest={(next) => {
          rest.current = next
        }}
      />
    </ChangeDialog>
  )
}

const inputIn = (form: FormData, { picture, links }: AuthorPictureAndLinks) => ({
  name: form.get('name'),
  bio: form.get('bio') ?? '',
  picture: picture ?? null,
  links,
})

interface AuthorFieldsProps {
  slug: string
  author: Author | undefined
  onRest: (rest: AuthorPictureAndLinks) => void
}

/** The fields' state is reset each time the dialog opens. */
function AuthorFields({ slug, author, onRest }: AuthorFieldsProps) {
  const [rest, setRest] = useState<AuthorPictureAndLinks>({
    picture: author?.picture,
    links: author?.links ?? [],
  })
  const tell = useEffectEvent(onRest)
  useEffect(() => {
    tell(rest)
  }, [rest])
  return (
    <>
      <Field label="Name" name="name">
        <TextInput autoComplete="off" defaultValue={author?.name} />
      </Field>
      <Field label="Bio" name="bio" optional>
        <Textarea name="bio" rows={3} defaultValue={author?.bio} />
      </Field>
      <div className="flex flex-col gap-1.5">
        <h3 className="font-medium">Picture</h3>
        <PictureField
          slug={slug}
          noun="picture"
          picture={rest.picture}
          onChange={(picture) => setRest((newest) => ({ ...newest, picture }))}
          isNamed
        />
      </div>
      <LinkRows
        title="Links"
        noun="link"
        links={rest.links}
        most={10}
        placeholder="https://"
        onChange={(links) => setRest({ ...rest, links })}
      />
    </>
  )
}
