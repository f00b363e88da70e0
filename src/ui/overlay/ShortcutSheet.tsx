import { KeyHint } from '../keyboard/KeyHint'

type ShortcutGroup = { label: string; shortcuts: { keys: string; does: string }[] }

/** Every shortcut there is, in columns. Lives in a Dialog. */
export function ShortcutSheet({ groups }: { groups: ShortcutGroup[] }) {
  return (
    // it may be longer than its dialog, which the keyboard scrolls where something in it has the focus
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label="Shortcuts" tabIndex={0} className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
      {groups.map(({ label, shortcuts }) => (
        <section key={label}>
          <h3 className="mb-1 text-xs font-medium text-faint">{label}</h3>
          <ul className="divide-y divide-line">
            {shortcuts.map(({ keys, does }) => (
              <li key={keys} className="flex items-center justify-between gap-4 py-1.5">
                {does}
                <KeyHint keys={keys} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}
