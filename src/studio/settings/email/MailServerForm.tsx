'use client'

import type { ShownMailServer } from '#projects/mail-server'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { PasswordInput } from '#ui/form/PasswordInput'
import { RadioGroup } from '#ui/form/RadioGroup'
import { TextInput } from '#ui/form/TextInput'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { saveMailServer } from './mail-server'

const encryptionOptions = [
  { value: 'starttls', label: 'STARTTLS', hint: 'Usual on port 587.' },
  { value: 'tls', label: 'TLS', hint: 'Usual on port 465.' },
] as const

/** The password is never sent to a browser: an empty field keeps it. */
export const MailServerForm = ({ server }: { server: ShownMailServer | undefined }) => (
  <ChangeForm change={saveMailServer} saved="Mail server saved">
    <div className="flex max-w-xl flex-col gap-4">
      <Field label="Host" name="host">
        <TextInput
          defaultValue={server?.host}
          placeholder="smtp.example.com"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field label="Port" name="port">
        <NumberInput defaultValue={server?.port ?? 587} min={1} max={65_535} />
      </Field>
      <RadioGroup
        boxed
        label="Encryption"
        name="security"
        options={encryptionOptions}
        defaultValue={server?.isSecure ? 'tls' : 'starttls'}
      />
      <Field label="User" name="user" optional hint="Empty for a server that asks for none.">
        <TextInput defaultValue={server?.user} autoComplete="off" spellCheck={false} />
      </Field>
      <Field
        label="Password"
        name="password"
        optional
        hint={server?.hasPassword ? 'Empty keeps the current one.' : 'Encrypted in the store.'}
      >
        <PasswordInput newPassword />
      </Field>
      <Field label="Sender" name="from">
        <TextInput
          defaultValue={server?.from}
          placeholder="Tilth <tilth@example.com>"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <div>
        <Submit>Save</Submit>
      </div>
    </div>
  </ChangeForm>
)
