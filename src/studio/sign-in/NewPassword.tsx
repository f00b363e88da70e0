'use client'

import { Check, Circle } from 'lucide-react'
import { useState } from 'react'
import { wordsOfContext, type PasswordRule, passwordRules } from '#projects/password-rules'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { PasswordInput } from '#ui/form/PasswordInput'
import { VisuallyHidden } from '#ui/VisuallyHidden'

/** A password to be chosen, with the rules it is held to ticked off while it is typed. */
export function NewPassword({ label = 'Password', context }: { label?: string; context: readonly string[] }) {
  const [password, setPassword] = useState('')
  const words = wordsOfContext(context)

  return (
    <div className="flex flex-col gap-2">
      <Field label={label} name="password">
        <PasswordInput newPassword onChange={(event) => setPassword(event.target.value)} />
      </Field>
      <ul className="flex flex-col gap-1 text-xs text-muted">
        {passwordRules.filter(shouldShowRule(password)).map((rule) => (
          <Rule key={rule.label} rule={rule} isKept={isSatisfied(rule, password, words)} />
        ))}
      </ul>
    </div>
  )
}

/** The rule about the maximum length is shown only once the password exceeds it. */
const shouldShowRule = (password: string) => (rule: PasswordRule) =>
  rule.isLimit !== true || rule.rejects(password, { contextWords: new Set() })

function isSatisfied(rule: PasswordRule, password: string, context: ReadonlySet<string>): boolean {
  return !rule.needsList && password !== '' && !rule.rejects(password, { contextWords: context })
}

function Rule({ rule, isKept: kept }: { rule: PasswordRule; isKept: boolean }) {
  return (
    <li className="flex items-start gap-1.5">
      <Icon
        of={kept ? Check : Circle}
        size="sm"
        className={`mt-px ${kept ? 'text-success' : 'text-faint opacity-60'}`}
      />
      <span className={kept ? 'text-ink' : ''}>
        {rule.label}
        {rule.needsList && ' (checked on submit)'}
        {kept && <VisuallyHidden>: yes</VisuallyHidden>}
      </span>
    </li>
  )
}
