export { metadata, GoalsPage as default } from '#studio/web/goals/GoalsPage'
