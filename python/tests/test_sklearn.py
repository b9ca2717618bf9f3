"""The vectorisers equal scikit-learn's, on documents of any kind."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.feature_extraction import text as theirs
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline

import zgram as zg
from zgram.sklearn import CountVectorizer, TfidfVectorizer

PAIRS = [
    (CountVectorizer, theirs.CountVectorizer),
    (TfidfVectorizer, theirs.TfidfVectorizer),
]
word = st.one_of(
    st.sampled_from(["the", "The", "cat", "don't", "x_y", "a", "Straße", "ΟΔΟΣ", "中文", "10.5", "İx"]),
    st.text(min_size=1, max_size=4).filter(lambda text: text.encode("utf-8", "ignore").decode() == text),
)
texts = st.lists(st.lists(word, max_size=12).map(" ".join), min_size=1, max_size=8)


def corpus_of(documents: list[str], folder: object) -> zg.Corpus:
    path = folder / "c.zgram"  # type: ignore[operator]
    zg.compress([(str(at), text) for at, text in enumerate(documents)], path, force=True)
    return zg.open(path)


@settings(max_examples=80, deadline=None)
@given(
    texts,
    st.fixed_dictionaries(
        {},
        optional={
            "min_df": st.sampled_from([1, 2, 0.3]),
            "max_df": st.sampled_from([1.0, 0.8]),
            "max_features": st.sampled_from([1, 3, 100]),
            "stop_words": st.sampled_from(["english", ["cat", "the"]]),
            "binary": st.booleans(),
            "lowercase": st.booleans(),
            "ngram_range": st.sampled_from([(1, 1), (1, 2)]),
        },
    ),
)
def test_equal_to_scikit_learn(
    tmp_path_factory: pytest.TempPathFactory, documents: list[str], options: dict[str, object]
) -> None:
    corpus = corpus_of(documents, tmp_path_factory.mktemp("s"))
    for ours, original in PAIRS:
        try:
            expected_by = original(**options)
            expected = expected_by.fit_transform(documents)
        except ValueError:
            with pytest.raises(ValueError):
                ours(**options).fit_transform(corpus.documents)
            continue
        made_by = ours(**options)
        made = made_by.fit_transform(corpus.documents)
        assert made_by.vocabulary_ == expected_by.vocabulary_
        assert made_by.get_feature_names_out().tolist() == expected_by.get_feature_names_out().tolist()
        assert made.dtype == expected.dtype and made.shape == expected.shape
        assert (made != expected).nnz == 0
        again = made_by.transform(corpus.documents[::-1])
        assert (again != expected_by.transform(documents[::-1])).nnz == 0
        known = original(**options).fit(documents).transform(documents)
        assert (ours(**options).fit(corpus.documents).transform(documents) != known).nnz == 0


def test_rows_can_be_sorted(tmp_path: object) -> None:
    """scipy sorts the cells of rows unless a matrix says that they are in order."""
    documents = ["so the cat sat", "a mat, the cat", "so so"]
    ours = TfidfVectorizer().fit_transform(corpus_of(documents, tmp_path).documents)
    expected = theirs.TfidfVectorizer().fit_transform(documents)
    ours.sort_indices()
    expected.sort_indices()
    assert ours.indices.tolist() == expected.indices.tolist() == [0, 2, 3, 4, 0, 1, 4, 3]
    assert ours.data.tolist() == expected.data.tolist()


def test_real_estimators(tmp_path_factory: pytest.TempPathFactory) -> None:
    documents = [f"{'good' if at % 2 else 'bad'} word{at % 7} text" for at in range(60)]
    labels = np.array([at % 2 for at in range(60)])
    corpus = corpus_of(documents, tmp_path_factory.mktemp("e"))
    scores, decisions = [], []
    for vectorizer, source in [
        (TfidfVectorizer(), corpus.documents),
        (theirs.TfidfVectorizer(), np.array(documents)),
    ]:
        train, test, known, asked = train_test_split(source, labels, random_state=0)
        model = GridSearchCV(
            make_pipeline(clone(vectorizer), LogisticRegression()),
            {f"{type(vectorizer).__name__.lower()}__min_df": [1, 2]},
            cv=3,
        )
        model.fit(train, known)
        scores.append((model.best_params_, model.score(test, asked)))
        decisions.append(model.decision_function(test))
    assert scores[0] == scores[1]
    # Norms of shuffled documents are added up in another order.
    np.testing.assert_allclose(decisions[0], decisions[1], rtol=1e-12)
    assert repr(clone(TfidfVectorizer(min_df=2))) == "TfidfVectorizer(min_df=2)"
