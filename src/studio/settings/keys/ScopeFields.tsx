'use client'

import { useState } from 'react'
import { type Right, rights, scopes } from '#projects/access'
import { Checkbox } from '#ui/form/Checkbox'
import { Switch } from '#ui/form/Switch'

const groupLabels: Record<string, string> = {
  project: 'Project',
  members: 'Members',
  keys: 'Keys',
  audit: 'Audit log',
}

/** "members:write" belongs with the other things one does to members. */
const groups = Object.entries(Object.groupBy(scopes, (scope) => scope.split(':')[0] ?? ''))

/** The rights of the key: all, or the checked ones. */
export function ScopeFields({ grantable, error }: { grantable: readonly Right[]; error?: string }) {
  const [isEvery, setEvery] = useState(false)
  const mayGrantAll = scopes.every((scope) => grantable.includes(scope))

  return (
    <fieldset name="scopes" className="flex flex-col gap-3">
      <legend className="mb-2 font-medium">Scopes</legend>
      <Switch
        label="All scopes"
        hint={mayGrantAll ? 'Includes scopes of later versions.' : 'Your role does not include all scopes.'}
        name="every"
        checked={isEvery}
        onChange={setEvery}
        disabled={!mayGrantAll}
      />
      {!isEvery && (
        <div className="grid gap-x-6 gap-y-4 rounded-md border border-line p-3.5 sm:grid-cols-2">
          {groups.map(([group, members = []]) => (
            <ScopeGroup
              key={group}
              label={groupLabels[group] ?? group}
              scopes={members}
              grantable={grantable}
            />
          ))}
        </div>
      )}
      {error && (
        <p role="alert" className="text-xs text-danger-ink">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function ScopeGroup({
  label,
  scopes: members,
  grantable,
}: {
  label: string
  scopes: readonly Right[]
  grantable: readonly Right[]
}) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-2xs font-medium text-faint">{label}</p>
      {members.map((scope) => (
        <Checkbox
          key={scope}
          name="scope"
          value={scope}
          label={<span className="font-mono text-xs">{scope}</span>}
          hint={grantable.includes(scope) ? rights[scope].label : 'Your role does not include it.'}
          disabled={!grantable.includes(scope)}
        />
      ))}
    </div>
  )
}
