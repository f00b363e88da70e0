import { AlertDialog } from '#ui/overlay/AlertDialog'

/** A pending change of a flag to on or off, and its audience. */
export interface FlagSwitchRequest {
  flagKey: string
  environment: string
  isOn: boolean
  /** The visitors who get the flag while it is on, in words. */
  rollout: string
}

interface ConfirmFlagSwitchProps {
  turning: FlagSwitchRequest | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Asks before visitors get something else. */
export const ConfirmFlagSwitch = ({ turning, onConfirm, onClose }: ConfirmFlagSwitchProps) => (
  <AlertDialog
    {...flagSwitchConfirmation(turning)}
    open={turning !== undefined}
    onOpenChange={(open) => !open && onClose()}
    onConfirm={onConfirm}
  />
)

const noSwitch: FlagSwitchRequest = { flagKey: '', environment: '', isOn: false, rollout: '' }

export function flagSwitchConfirmation({
  flagKey,
  environment,
  isOn,
  rollout,
}: FlagSwitchRequest = noSwitch) {
  return {
    title: `Turn ${flagKey} ${isOn ? 'on' : 'off'} in ${environment}?`,
    body: isOn
      ? `Takes effect immediately. Rollout: ${rollout}.`
      : `Takes effect immediately. Rollout until now: ${rollout}.`,
    confirmLabel: isOn ? 'Turn on' : 'Turn off',
    destructive: !isOn,
  }
}
