'use client'

import { useState } from 'react'
import type { InvitationOffer } from '#projects/invitations'
import { Field } from '#ui/form/Field'
import { Notice } from '#ui/page/Notice'
import { PasswordInput } from '#ui/form/PasswordInput'
import { Tabs } from '#ui/page/Tabs'
import { TextInput } from '#ui/form/TextInput'
import { EmailInput } from '#studio/parts/EmailInput'
import { SignOutButton } from '#studio/shell/SignOutButton'
import { NewPassword } from './NewPassword'
import { AccessForm } from './AccessForm'
import type { JoiningViewer } from './Join'
import { joinAsMember, joinAsNew, signInAndJoin } from './join'

interface AcceptFormsProps {
  token: string
  offer: InvitationOffer
}

/** Accepts an invitation as the signed-in member, with a new account, or after signing in. */
export function AcceptForms({ viewer, ...invited }: AcceptFormsProps & { viewer?: JoiningViewer }) {
  if (viewer) return <AcceptAs viewer={viewer} {...invited} />
  return (
    <Tabs
      label="How to join"
      tabs={[
        { value: 'new', label: 'Create account', content: <NewAccount {...invited} /> },
        { value: 'known', label: 'Sign in', content: <KnownAccount {...invited} /> },
      ]}
    />
  )
}

function AcceptAs({ viewer, token, offer }: AcceptFormsProps & { viewer: JoiningViewer }) {
  const isForSomebodyElse = offer.email !== undefined && offer.email !== viewer.email
  if (isForSomebodyElse) {
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="warning" title={`This invitation is for ${offer.email}`}>
          You are signed in as {viewer.email}. Sign out, then open the link again.
        </Notice>
        <SignOutButton />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <p>
        You are signed in as <b className="font-semibold">{viewer.name}</b> ({viewer.email}).
      </p>
      <AccessForm action={() => joinAsMember(token)} fields={[]} submit="Accept the invitation">
        {null}
      </AccessForm>
    </div>
  )
}

function NewAccount({ token, offer }: AcceptFormsProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState(offer.email ?? '')

  return (
    <AccessForm
      action={joinAsNew.bind(null, token)}
      fields={['name', 'email', 'password']}
      submit="Create account and join"
    >
      <Field label="Your name" name="name">
        <TextInput autoComplete="name" onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field
        label="Your e-mail"
        name="email"
        hint={offer.email ? 'The invitation is for this address only.' : 'For signing in.'}
      >
        <EmailInput
          value={email}
          readOnly={offer.email !== undefined}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <NewPassword context={[email, name]} />
    </AccessForm>
  )
}

function KnownAccount({ token, offer }: AcceptFormsProps) {
  return (
    <AccessForm
      action={signInAndJoin.bind(null, token)}
      fields={['email', 'password']}
      submit="Sign in and join"
    >
      <Field label="E-mail" name="email">
        <EmailInput defaultValue={offer.email} />
      </Field>
      <Field label="Password" name="password">
        <PasswordInput />
      </Field>
    </AccessForm>
  )
}
