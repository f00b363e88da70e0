/** The tone of each advice. */
export const verdictTones = {
  'not-started': 'info',
  storing: 'info',
  'check-split': 'danger',
  'no-metric': 'warning',
  'roll-out': 'info',
  'keep-going': 'info',
  'ship-best': 'success',
  wait: 'info',
  ship: 'success',
  stop: 'danger',
  'no-difference': 'warning',
  'cannot-tell': 'warning',
} as const
