"""Numbers of the fields of the messages that a compiled expression is serialized as.

https://github.com/google/cel-spec/blob/master/proto/cel/expr/checked.proto and `syntax.proto`
"""

ANY_VALUE = 2
REFERENCES, TYPES, EXPRESSION = 2, 3, 4
KEY, VALUE = 1, 2
REFERENCE_NAME, OVERLOADS = 1, 3
ID, CONSTANT, NAME, SELECT, CALL, LIST, MAP, COMPREHENSION = 2, 3, 4, 5, 6, 7, 8, 9
BOOL_VALUE, STRING_VALUE = 2, 6
NAME_NAME = 1
SELECT_OPERAND, SELECT_FIELD = 1, 2
CALL_TARGET, CALL_FUNCTION, CALL_ARGUMENTS = 1, 2, 3
LIST_ELEMENTS, LIST_OPTIONAL = 1, 2
MAP_MESSAGE, MAP_ENTRIES = 1, 2
ENTRY_KEY, ENTRY_VALUE, ENTRY_OPTIONAL = 3, 4, 5
ELEMENT, RANGE, RESULT_NAME, START, CONDITION, STEP, RESULT, SECOND = range(1, 9)
