'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { Field } from '#ui/form/Field'
import { Panel } from '#ui/page/Panel'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#studio/paths'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { asText } from '#studio/parts/form-data'
import { createPost } from '../actions'

interface NewPostFormProps {
  slug: string
  kind: 'post' | 'page'
  whyNot: string | undefined
}

/** A title is enough to begin: the address is made of it, and both can be changed. */
export function NewPostForm({ slug, kind, whyNot }: NewPostFormProps) {
  const router = useNavigation()
  return (
    <Panel>
      <ChangeForm
        change={(form) => createPost(slug, inputIn(form, kind))}
        onDone={({ id }) => router.push(paths.post(slug, id))}
      >
        <Field label="Title" name="title">
          <TextInput
            // a member who opens this page is about to name the post
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            autoComplete="off"
            placeholder={kind === 'post' ? 'What we learned' : 'About us'}
            required
          />
        </Field>
        <Field
          label="URL slug"
          name="slug"
          optional
          hint={
            kind === 'post'
              ? 'Leave empty to use the title.'
              : 'Leave empty to use the title. “docs/start” has two parts; “home” is the front page.'
          }
        >
          <TextInput
            mono
            prefix={kind === 'post' ? '/blog/' : '/'}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Field>
        <Submit disabledReason={whyNot}>Start writing</Submit>
      </ChangeForm>
    </Panel>
  )
}

/** The first page of a site has no word of its own in its address: people call it home. */
function inputIn(form: FormData, kind: 'post' | 'page') {
  const slug = asText(form.get('slug')).trim()
  const title = form.get('title')
  if (slug === '') return { kind, title }
  return { kind, title, slug: kind === 'page' && slug === 'home' ? '' : slug }
}
