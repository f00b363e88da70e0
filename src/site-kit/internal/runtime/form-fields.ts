/** Begins the name of the hidden field that names a form's action. */
export const actionField = 'tilth-action:'

/** Begins the name of the hidden field with a form's state. */
export const stateField = 'tilth-state:'
