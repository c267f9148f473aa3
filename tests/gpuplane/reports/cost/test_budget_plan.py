from charts_py.cluster_file.fault import Fault, Mark, Problem
from gpuplane.reports.cost.budget import Budget
from gpuplane.reports.cost.budget_plan import BudgetPlan, budget_plans
from gpuplane.reports.cost.cost_change import compare
from gpuplane.reports.cost.cost_item import CostItem, Figure
from gpuplane.reports.cost.cost_statement import CostStatement, UnpricedPool
from tests.gpuplane.reports.cost.items import RESEARCH, SEARCH, item

RESERVED = Figure.RESERVED
BUDGET = Budget("training", "research", "USD", 7000)
L4 = UnpricedPool("training/l4", Fault(Mark("training.yaml", 3), Problem(("pools", "l4"), "?")))


def test_a_team_has_a_budget_on_each_cluster() -> None:
    other = Budget("inference", "research", "EUR", 3000)
    items = (
        item(Figure.AT_MAX, 100),
        item(RESERVED, 10, RESEARCH),
        item(RESERVED, 20, SEARCH),
        item(RESERVED, 4, RESEARCH, place="inference/l4", currency="EUR"),
    )
    plans = tuple(budget_plans((BUDGET, other), items))
    assert plans == (BudgetPlan(BUDGET, 7300), BudgetPlan(other, 2920))
    assert [plan.above for plan in plans] == [300, 0]


def test_whether_a_budget_is_exceeded_is_not_known_where_missing_prices_decide() -> None:
    assert BudgetPlan(BUDGET, 6000, (L4.place,)).above is None
    assert BudgetPlan(BUDGET, None, (L4.place,)).above is None
    assert BudgetPlan(BUDGET, 8000, (L4.place,)).above == 1000


def test_a_price_that_is_stated_for_the_first_time_exceeds_no_budget() -> None:
    h100, l4 = item(RESERVED, 9, RESEARCH), item(RESERVED, 5, RESEARCH, place=L4.place)
    unpriced = item(RESERVED, None, RESEARCH, place=L4.place)

    def statement(*items: CostItem, gaps: tuple[UnpricedPool, ...] = ()) -> CostStatement:
        return CostStatement((), items, gaps, (BUDGET,))

    assert compare(statement(h100, unpriced, gaps=(L4,)), statement(h100, l4)).budgets == ()


def test_a_budget_in_another_currency_is_another_budget() -> None:
    euros = Budget("training", "research", "EUR", 7000)
    before = CostStatement((), (item(RESERVED, 10, RESEARCH),), (), (BUDGET,))
    after = CostStatement((), (item(RESERVED, 9, RESEARCH, currency="EUR"),), (), (euros,))
    removed, added = compare(before, after).budgets
    assert (removed.before, removed.after, removed.exceeds) == (
        BudgetPlan(BUDGET, 7300),
        None,
        False,
    )
    assert (added.before, added.after, added.exceeds) == (None, BudgetPlan(euros, 6570), False)
