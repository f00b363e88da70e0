export { metadata, HoldoutsPage as default } from '#studio/flags/holdouts/HoldoutsPage'
