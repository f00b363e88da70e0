export { generateMetadata, PlanPage as default } from '#studio/experiments/plan/PlanPage'
